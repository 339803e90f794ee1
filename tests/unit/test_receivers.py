"""Where a webhook may lead: the names that are allowed as they are written, and the addresses that are public."""

import pytest

from sheaf.errors import InvalidRequest
from sheaf.notices.addresses import is_public, place

PRIVATE = [
    # this machine, this network, nobody
    "0.0.0.0", "0.1.2.3", "127.0.0.1", "127.255.255.254", "255.255.255.255", "240.0.0.1", "::", "::1",
    # private
    "10.0.0.1", "10.255.255.255", "172.16.0.1", "172.31.255.255", "192.168.0.1", "192.168.255.255", "fc00::1", "fd12:3456::1", "fec0::1",
    # between a provider and its customers
    "100.64.0.1", "100.127.255.254",
    # link-local, and the metadata of clouds
    "169.254.0.1", "169.254.169.254", "169.254.170.2", "fe80::1", "fe80::1%eth0", "fd00:ec2::254", "100.100.100.200", "192.0.0.192", "168.63.129.16",
    # multicast
    "224.0.0.1", "239.255.255.250", "ff02::1", "ff0e::1",
    # for protocols and for documents
    "192.0.0.1", "192.0.2.1", "198.51.100.7", "203.0.113.9", "198.18.0.1", "198.19.255.254", "192.88.99.1", "100::1", "2001:db8::1", "3fff::1", "2001:2::1", "2001:10::1",
    # IPv4 in other words: mapped, compatible, translated, 6to4, Teredo
    "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "::ffff:93.184.216.34", "::127.0.0.1", "::ffff:0:10.0.0.1",
    "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::1", "2002:7f00:1::", "2002:a9fe:a9fe::1", "2001:0:4136:e378:8000:63bf:3fff:fdd2",
    # not given out
    "1000::1", "4000::1", "5f00::1",
]  # fmt: skip
PUBLIC = [
    "1.1.1.1", "8.8.8.8", "93.184.216.34", "172.15.255.255", "172.32.0.1", "100.63.255.255", "100.128.0.1", "169.253.1.1", "191.255.255.255",
    "11.0.0.1", "223.255.255.255", "2606:4700::1111", "2a00:1450:4001:82a::200e", "2600:1f18::1",
]  # fmt: skip


@pytest.mark.parametrize("address", PRIVATE)
def test_an_address_is_refused_when_it_is_not_on_the_public_network(address):
    assert not is_public(address)


@pytest.mark.parametrize("address", PUBLIC)
def test_an_address_is_taken_when_it_is_public(address):
    assert is_public(address)


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://hooks.example.org/", "is not an https address."),
        ("ftp://hooks.example.org/", "is not an https address."),
        ("https:///path", "is not an https address."),
        ("https://", "is not an https address."),
        ("hooks.example.org", "is not an https address."),
        ("https://user:pass@hooks.example.org/", "holds a name or a password; the signature says who sends."),
        ("https://hooks.example.org\\@10.0.0.1/", "holds a name or a password; the signature says who sends."),
        ("https://hooks.example.org:99999/", "is no address."),
        ("https://hooks.example.org:x/", "is no address."),
        ("https://[::1/", "is no address."),
    ],
)
def test_an_address_is_refused_in_words_when_it_is_not_allowed_as_it_is_written(url, reason):
    with pytest.raises(InvalidRequest) as refused:
        place(url)
    assert (refused.value.field, refused.value.reason) == ("url", reason)


@pytest.mark.parametrize(
    ("url", "found"),
    [
        ("https://hooks.example.org", ("hooks.example.org", 443)),
        ("https://Hooks.Example.org:8443/a?b=c", ("hooks.example.org", 8443)),
        ("https://[2606:4700::1111]/", ("2606:4700::1111", 443)),
    ],
)
def test_name_and_port_are_found_when_an_address_is_allowed(url, found):
    assert place(url) == found
