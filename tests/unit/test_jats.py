"""Articles as XML: what the publisher says, word for word, and nothing that the file asks the reader to do."""

import json

import pytest

from clinical.extract_paper import doubts
from clinical.papers import Paper
from clinical.papers.reader import read
from sheaf.apart.reader_errors import Unreadable
from tests.support.stack_file import ROOT

FILES = {path.name: path for name in ("samples/*.nxml", "tests/data/pairs/*.xml") for path in sorted(ROOT.glob(name))}
FRONT = """<front><journal-meta><journal-title>Trials</journal-title></journal-meta><article-meta>
<article-id pub-id-type="doi">10.1/abc</article-id><article-id pub-id-type="pmc">42</article-id>
<title-group><article-title>A trial of <italic>two</italic> tubes<xref ref-type="fn">*</xref></article-title></title-group>
<contrib-group><contrib contrib-type="author"><name><surname>Wu</surname><given-names>Cai-neng</given-names></name></contrib>
<contrib contrib-type="author"><collab>The Tube Group</collab></contrib>
<contrib contrib-type="editor"><name><surname>Ed</surname><given-names>I</given-names></name></contrib></contrib-group>
<author-notes><fn fn-type="conflict"><p>None of us has any.</p></fn></author-notes>
<pub-date pub-type="epub"><day>4</day><month>3</month><year>2016</year></pub-date>
<history><date date-type="received"><day>02</day><month>01</month><year>2015</year></date></history>
<abstract><sec><title>Trial registration</title><p>NCT01234567</p></sec></abstract>
<funding-group><award-group><funding-source>A fund</funding-source><award-id>12</award-id></award-group></funding-group>
</article-meta></front>"""

ALPHA = "<mml:math xmlns:mml='m'><mml:mi>α</mml:mi></mml:math>"


def article(body="", back="", front=FRONT, before=""):
    return f"{before}<article>{front}<body>{body}</body><back>{back}</back></article>".encode()


def pages(**parts):
    return {page.label: page.text for page in read(article(**parts), "").pages}


def section(text):
    return pages(body=f"<sec><title>Methods</title>{text}</sec>")["Methods"].removeprefix("Methods\n\n")


def test_the_publishers_data_are_told_when_an_article_is_read():
    """Editors are no authors, a note is no title, and PubMed Central's number has its letters."""
    assert read(article("<p>x</p>"), "").details == {
        "title": "A trial of two tubes",
        "doi": "10.1/abc",
        "journal": "Trials",
        "year": 2016,
        "authors": ["Cai-neng Wu", "The Tube Group"],
        "surname": "Wu",
        "pmcid": "PMC42",
    }


def test_the_first_page_has_all_that_stands_before_the_text():
    """As lines that a rule or a reader finds: DOI, dates, registration, funding, conflicts."""
    first = pages()["Title, authors and abstract"]
    for line in ("DOI: 10.1/abc", "Received: 2 January 2015. Published: 4 March 2016.", "NCT01234567", "A fund; 12"):
        assert line in first.split("\n")
    told = read(article(), "")
    kinds = {
        section.kind: told.pages[0].text[section.start :].split("\n")[0]
        for section in told.sections
        if section.page == 1
    }
    assert kinds == {"abstract": "Abstract", "funding": "Funding", "conflicts": "Competing interests"}


def test_each_section_is_a_page_and_the_references_are_the_last():
    told = read(
        article(
            "<p>Loose.</p><sec sec-type='intro'><title>Why</title><p>a</p></sec><sec><label>2.</label><title>Results</title><p>b</p></sec>",
            "<ref-list><ref><label>1</label><mixed-citation>Wu C. Tubes. 2014.</mixed-citation></ref></ref-list><ack><p>Thanks.</p></ack>",
        ),
        "",
    )
    assert [(page.number, page.label) for page in told.pages[1:]] == [
        (2, "Text"), (3, "Why"), (4, "2. Results"), (5, "Acknowledgements"), (6, "References"),
    ]  # fmt: skip
    assert [section.kind for section in told.sections if section.page > 2] == [
        "introduction",
        "results",
        "other",
        "references",
    ]
    assert told.pages[-1].text == "1 Wu C. Tubes. 2014."


def test_a_table_is_rows_of_cells_when_cells_span():
    """What spans rows is in each row, so that a row can be read by itself; what spans columns is told once."""
    told = section(
        "<table-wrap><label>Table 1</label><caption><p>Ages</p></caption><table>"
        "<thead><tr><th/><th colspan='2'>Group</th></tr></thead>"
        "<tbody><tr><td rowspan='2'>Age</td><td>mean</td><td>61</td></tr><tr><td>SD</td><td>13</td></tr></tbody></table>"
        "<table-wrap-foot><p>In years.</p></table-wrap-foot></table-wrap>"
    )
    assert told == "Table 1 Ages\n | Group | \nAge | mean | 61\nAge | SD | 13\nIn years."


def test_a_table_is_rows_of_cells_when_it_is_an_oasis_one():
    """The other of the two kinds of table that JATS has; its cells name the columns that they span."""
    told = section(
        "<table-wrap><label>Table 1</label><oasis:table xmlns:oasis='o'><oasis:tgroup cols='3'>"
        "<oasis:colspec colname='c1'/><oasis:colspec colname='c2'/><oasis:colspec colname='c3'/><oasis:thead>"
        "<oasis:row><oasis:entry/><oasis:entry namest='c2' nameend='c3'>Group</oasis:entry></oasis:row></oasis:thead>"
        "<oasis:tbody><oasis:row><oasis:entry morerows='1'>Age</oasis:entry><oasis:entry>mean</oasis:entry>"
        "<oasis:entry>61</oasis:entry></oasis:row><oasis:row><oasis:entry>SD</oasis:entry><oasis:entry>13</oasis:entry>"
        "</oasis:row></oasis:tbody></oasis:tgroup></oasis:table></table-wrap>"
    )
    assert told == "Table 1\n | Group | \nAge | mean | 61\nAge | SD | 13"


def test_one_article_is_read_out_of_its_set_and_none_of_several():
    """Of two papers in one file the second would be lost without a word."""
    one = article("<p>a</p>").decode()
    assert read(f"<pmc-articleset>{one}</pmc-articleset>".encode(), "").pages[1].text == "a"
    with pytest.raises(Unreadable, match="holds 2 articles"):
        read(f"<pmc-articleset>{one}{one}</pmc-articleset>".encode(), "")


def test_an_article_is_said_to_be_cut_when_its_publisher_gives_the_abstract_alone():
    """PubMed Central has such; a row that is read in one is incomplete, and says so."""
    told = read(f"<article>{FRONT}</article>".encode(), "")
    assert "NCT01234567" in told.pages[0].text
    assert doubts.doubts({}, told) == ["paper:truncated"]
    assert doubts.doubts({}, read(article("<p>a</p>"), "")) == []


def test_only_its_own_text_is_an_articles_when_letters_and_replies_stand_within_it():
    reply = "<front-stub/><body><p>Of 500 none.</p></body>"
    content = article("<p>a</p>").decode().removesuffix("</article>")
    told = read(f"{content}<sub-article>{reply}</sub-article><response>{reply}</response></article>".encode(), "")
    assert not [page for page in told.pages if "500" in page.text]


def test_an_article_is_read_when_its_dtd_names_pictures():
    before = "<!DOCTYPE article [<!NOTATION tiff SYSTEM 'x'><!ENTITY fig1 SYSTEM 'file:///etc/passwd' NDATA tiff>]>"
    assert read(article("<p>a</p>", before=before), "").pages[1].text == "a"
    with pytest.raises(Unreadable):
        read(article("<p>&fig1;</p>", before=before), "")


@pytest.mark.parametrize(
    ("written", "read_as"),
    [
        ("platelets 10<sup>9</sup>/L", "platelets 10^9/L"),
        ("kg/m<sup>2</sup>", "kg/m2"),
        ("<mml:math xmlns:mml='m'><mml:msup><mml:mn>10</mml:mn><mml:mn>9</mml:mn></mml:msup></mml:math>/L", "10^9/L"),
        ("<m:math xmlns:m='m'><m:msup><m:mn>10</m:mn><m:mn>9</m:mn></m:msup></m:math>/L", "10^9/L"),
        ("<math xmlns='m'><mfrac><mn>1</mn><mn>2</mn></mfrac></math>", "1/2"),
        ("<bold>Trial status</bold>Recruiting; <bold>H</bold>2O", "Trial status Recruiting; H2O"),
        ("in 200.<sup><xref ref-type='bibr'>3</xref></sup>", "in 200.[3]"),
        ("shown [<xref ref-type='bibr'>3</xref>, <xref ref-type='bibr'>4</xref>]", "shown [3, 4]"),
        ("by <xref ref-type='bibr'>Wu 2014</xref>", "by Wu 2014"),
        ("see <xref ref-type='table'>Table 1</xref>", "see Table 1"),
        (
            f"<inline-formula><alternatives><tex-math>\\alpha</tex-math>{ALPHA}</alternatives></inline-formula> = 5%",
            "α = 5%",
        ),
    ],
)
def test_a_number_is_not_run_into_the_next_when_it_is_raised(written, read_as):
    """A power has its sign and a citation its brackets: "200" with a reference 3 is not 2003."""
    assert section(f"<p>{written}</p>") == read_as


def test_funding_and_conflicts_are_found_when_they_stand_in_the_back():
    told = read(
        article(
            "<sec><title>Results</title><p>b</p></sec>",
            "<sec><title>Declarations</title><sec><title>Competing interests</title><p>None.</p></sec></sec>"
            "<fn-group><fn fn-type='financial-disclosure'><p>A fund paid.</p></fn></fn-group>",
            front="",
        ),
        "",
    )
    found = {section.kind: told.pages[section.page - 1].text[section.start :] for section in told.sections}
    assert found["conflicts"] == "Competing interests\n\nNone."
    assert found["funding"] == "Funding\n\nA fund paid."


def test_a_dtd_elsewhere_is_not_fetched_and_its_characters_are_known():
    before = '<!DOCTYPE article PUBLIC "-//NLM//DTD v2.3//EN" "http://127.0.0.1:1/archivearticle.dtd">'
    told = read(
        article("<sec><title>Results</title><p>5&nbsp;&plusmn;&#160;1 &unknown; mg</p></sec>", before=before), ""
    )
    assert told.pages[1].text == "Results\n\n5 ± 1 mg"


@pytest.mark.parametrize("name", FILES)
def test_a_real_article_is_read_whole(name):
    """Every paragraph of the file is in the text, the sections are known, and it survives being stored."""
    told = read(FILES[name].read_bytes(), name)
    kinds = [section.kind for section in told.sections]
    assert {"abstract", "introduction", "methods", "results", "discussion", "references"} <= set(kinds)
    assert kinds[-1] == "references"
    assert {"title", "doi", "journal", "year", "authors"} <= set(told.details)
    assert Paper.from_json(told.to_json()) == told
    assert json.loads(told.to_json())["pages"][0]["number"] == 1


@pytest.mark.parametrize(
    "content",
    [
        b"<article",
        b"<article></article>",
        b"<?xml version='1.0' encoding='klingon'?><article/>",
        "<article><body><p>\u00e9</p></body></article>".encode("latin-1"),
        b"<response><record/></response>",
    ],
)
def test_a_reason_is_told_when_the_xml_is_no_article(content):
    with pytest.raises(Unreadable):
        read(content, "paper.xml")


@pytest.mark.parametrize(
    ("declared", "encoding"),
    [
        ("UTF-8", "utf-8"),
        ("GB2312", "gb2312"),
        ("gbk", "gbk"),
        ("GB18030", "gb18030"),
        ("UTF-16", "utf-16"),
        ("UTF-8", "utf-16"),
        ("UTF-16", "utf-16-le"),
        ("UTF-16", "utf-16-be"),
    ],
)
def test_an_article_is_read_in_whatever_characters_it_came(declared, encoding):
    """Those of China, and what Windows saves under a declaration of other characters."""
    text = f'<?xml version="1.0" encoding="{declared}"?><article><body><p>对照组二十例</p></body></article>'
    assert read(text.encode(encoding), "").pages[-1].text == "对照组二十例"


def test_characters_that_are_not_those_declared_are_said_to_be_damaged():
    with pytest.raises(Unreadable, match="characters"):
        read(b'<?xml version="1.0" encoding="GB2312"?><article><body><p>\xff\xff</p></body></article>', "")


def test_an_article_is_found_behind_a_long_comment():
    """And a file made of the beginnings of comments costs no more than its length."""
    assert read(article("<p>x</p>", before=f"<!--{'x' * 40_000}-->"), "").pages[1].text == "x"
    assert read(b"<!-- x -->" * 100_000 + b"<!--", "").format == "text"


def test_what_turns_text_round_is_left_out_of_an_article():
    assert section("<p>n = \u202e21\u202c of 34</p>") == "n = 21 of 34"
