"""Every form of a name in a look-up, taken from the table itself: a new entry brings its tests."""

from xml.etree.ElementTree import fromstring

import pytest

from clinical.papers import file_types
from clinical.papers.jats import article, front_matter
from clinical.papers.limits import Limits
from sheaf.apart.reader_errors import Unreadable
from sheaf.engine_settings import EngineSettings
from sheaf.model_calls import prices

# ---------------------------------------------------------------------------------------------------- prices

PROFILES = ("us", "eu", "apac", "jp", "au", "global")
FORMS = {
    "bare": "{}",
    "with a date": "{}-20260101-v1:0",
    **{f"by profile {profile}": profile + ".{}" for profile in PROFILES},
    **{f"by profile {profile} with a date": profile + ".{}-20260101-v1:0" for profile in PROFILES},
    "by ARN": "arn:aws:bedrock:eu-west-1::foundation-model/{}-v1:0",
    **{
        f"by ARN of profile {profile}": f"arn:aws:bedrock:eu-west-1:123456789012:inference-profile/{profile}." + "{}"
        for profile in PROFILES
    },
}


@pytest.mark.parametrize("form", list(FORMS.values()), ids=list(FORMS))
@pytest.mark.parametrize("name", list(prices.PRICES))
def test_a_model_has_its_price_when_it_is_called_in_any_of_its_ways(name, form):
    engine, _, model = name.partition("/")
    assert prices.of(EngineSettings(engine, form.format(model))) == prices.PRICES[name]


@pytest.mark.parametrize("name", list(prices.PRICES))
@pytest.mark.parametrize("form", ["x{}", "xx.{}", "my-{}"])
def test_a_model_has_no_price_when_its_name_is_another(name, form):
    engine, _, model = name.partition("/")
    assert prices.of(EngineSettings(engine, form.format(model))) is None
    assert prices.of(EngineSettings("other", model)) is None


# ---------------------------------------------------------------------------------------------------- files


@pytest.mark.parametrize(("mark", "name", "advice"), file_types.OTHERS, ids=lambda part: str(part)[:20])
def test_a_file_is_named_and_refused_when_it_begins_with_a_known_mark(mark, name, advice):
    for rest in (b"", b" tea", b"%PDF-1.7"):
        with pytest.raises(Unreadable) as raised:
            file_types.kind(mark + rest)
        assert (raised.value.reason, raised.value.advice) == (f"This is {name}, which is not read.", advice)
    assert file_types.kind(b"tea " + mark.replace(b"\x00", b"")) == "text"


ENCODINGS = {codec: mark for mark, codec in file_types.MARKS.items()}


@pytest.mark.parametrize("root", sorted(file_types.ARTICLES))
@pytest.mark.parametrize("codec", ["utf-8", *ENCODINGS])
@pytest.mark.parametrize(
    "before", ["", "<?xml version='1.0'?>", "<!-- tea -->\n", "<?xml version='1.0'?><!DOCTYPE {}>"]
)
def test_an_article_is_known_by_its_first_element_when_it_is_written_in_any_way(root, codec, before):
    """With and without its byte order mark, a declaration, a comment, a document type."""
    text = f"{before.format(root)}<{root} lang='en'><p/></{root}>"
    mark = b"" if codec not in ENCODINGS or b"<" in ENCODINGS[codec] else ENCODINGS[codec]
    assert file_types.kind(mark + text.encode(codec)) == "jats"


# ---------------------------------------------------------------------------------------------------- dates, kinds


def meta(dates: str) -> str:
    return front_matter.page(fromstring(f"<article><front><article-meta>{dates}</article-meta></front></article>"))[0]


DATE = "<pub-date{}><year>{}</year></pub-date>"
TYPED = [f" {name}='{kind}'" for name in ("pub-type", "date-type") for kind in front_matter.PUBLISHED]


@pytest.mark.parametrize("typed", ["", *TYPED])
def test_an_article_says_when_it_was_published_when_its_date_has_any_type_or_none(typed):
    assert meta(DATE.format(typed, 2016)) == "Published: 2016."


@pytest.mark.parametrize("at", range(len(front_matter.PUBLISHED) - 1))
def test_the_first_kind_of_date_is_told_when_an_article_has_several(at):
    first, second = front_matter.PUBLISHED[at : at + 2]
    both = [DATE.format(f" pub-type='{kind}'", year) for kind, year in ((second, 2017), (first, 2016))]
    assert meta("".join(both)) == "Published: 2016."


@pytest.mark.parametrize(("number", "month"), list(enumerate(front_matter.MONTHS, 1)))
@pytest.mark.parametrize("form", ["{}", "{:02d}"])
def test_a_month_has_its_name_when_it_is_told_by_number(number, month, form):
    dated = f"<pub-date><day>04</day><month>{form.format(number)}</month><year>2016</year></pub-date>"
    assert meta(dated) == f"Published: 4 {month} 2016."


@pytest.mark.parametrize(("kind", "told"), list(article.TYPES.items()))
@pytest.mark.parametrize("form", ["{}", "{}|other", "other|{}"])
def test_a_section_is_of_its_kind_when_only_its_type_says_so(kind, told, form):
    body = f"<body><sec sec-type='{form.format(kind)}'><title>Tea</title><p>a</p></sec></body>"
    read = article.read(f"<article>{body}</article>".encode(), Limits())
    assert [section.kind for section in read.sections if section.title == "Tea"] == [told]


REGISTERED = {"source-id": "ClinicalTrials.gov", "document-id": "NCT01234567", "object-id": "NCT07654321"}


@pytest.mark.parametrize("names", [[name] for name in REGISTERED] + [list(REGISTERED), list(REGISTERED)[::2]])
def test_a_registration_is_told_when_an_article_has_it_in_any_of_its_attributes(names):
    told = " ".join(f"{name}='{REGISTERED[name]}'" for name in names)
    said = f"Trial registration: {' '.join(REGISTERED[name] for name in names)}"
    assert meta(f"<related-object {told}/>") == said
    assert meta(f"<related-object {told}>ISRCTN1</related-object>") == "Trial registration: ISRCTN1"
    assert meta("<related-object/>") == ""
