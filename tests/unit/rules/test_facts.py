"""Places, people, dates, declarations, results: what is printed, and of this study."""

import pytest

from tests.support.papers import one


def told(name, sentence, part="methods"):
    answer = one(name, **{part: sentence})
    return answer["value"], answer["state"]


@pytest.mark.parametrize(
    ("sentence", "countries"),
    [
        ("The study was conducted at two hospitals in Spain.", ["Spain"]),
        ("Patients were recruited in the UK and the USA.", ["United Kingdom", "United States"]),
        (
            "Women were recruited from 39 Australian, New Zealand, and Canadian hospitals.",
            ["Australia", "New Zealand", "Canada"],
        ),
        ("We enrolled adults in Tayside, Scotland.", ["United Kingdom"]),
        ("Participants were recruited in Northern Ireland.", ["United Kingdom"]),
        ("The trial was conducted in Sydney, New South Wales, Australia.", ["Australia"]),
        ("The protocol was approved by the Swiss Institutional Review Board.", ["Switzerland"]),
        ("It was approved by the Danish Data Protection Agency.", ["Denmark"]),
        ("Iranian Registry of Clinical Trials IRCT20130812014333N1", ["Iran"]),
        ("The trial is in the Netherlands Trial Register.", ["Netherlands"]),
        ("Men were referred to the clinic of Lund, Sweden, for tea.", ["Sweden"]),
        ("We enrolled newborns at three Italian NICUs.", ["Italy"]),
        ("Adults were eligible who live in New South Wales, Australia.", ["Australia"]),
        ("The trial was conducted in three countries: Spain, Chile and Peru.", ["Spain", "Chile", "Peru"]),
        ("Women came from Australian states and from sites in New Zealand.", ["Australia", "New Zealand"]),
        (
            "The trial was conducted in Perth, Australia, and registered with the Australian New Zealand Clinical Trials Registry.",
            ["Australia"],
        ),
    ],
)
def test_countries_are_found_when_a_sentence_says_where_it_was_done(sentence, countries):
    assert told("countries", sentence) == (countries, "found")


@pytest.mark.parametrize(
    "sentence",
    [
        "Analyses were performed with a machine (Acme GmbH, Germany).",
        "Tea from China was bought.",
        "Georgia and Jordan were kind.",
        "The trial was conducted in accordance with the guidelines of the UK.",
        "Patients were recruited in British Columbia.",
        "English-speaking adults were recruited from clinics in New Mexico.",
        "Men were screened using a scanner (Acme, Lund, Sweden) in May.",
        "Patients were enrolled at sites in 11 countries, such as Spain.",
        "This international trial recruited patients in Spain.",
        "The task was performed on a cycle (Acme 75, Acme Wellness, Lund, Sweden).",
        "Patients were recruited at four sites, and overseas at one in Spain.",
        "A similar trial was conducted in India.",
        "The sample size was calculated from a trial conducted in Spain.",
        "Men from Turkey were excluded.",
        "The trial was entered in the Australian New Zealand Clinical Trials Registry.",
        "Tea is approved in Japan.",
        "The study was performed using a cup from Acme, Sweden.",
        "Approval was given by the Danish and the Swedish ethics committees.",
    ],
)
def test_no_country_is_given_when_a_machine_or_a_tea_is_from_there(sentence):
    assert told("countries", sentence)[0] is None


@pytest.mark.parametrize(
    "front",
    [
        "Tea for all\n\nDepartment of Tea, University of Oslo, Norway",
        "Tea for all\n\nJordan Chad1, Israel Lee2 and Georgia Brown1\n\n1 Department of Tea, University of Oslo, Norway",
        "Tea among Vietnamese schoolchildren: a trial\n\nInstitute of Tea, Hanoi, Vietnam",
    ],
)
def test_no_country_is_given_when_only_authors_their_addresses_or_a_people_name_it(front):
    assert one("countries", front=front)["value"] is None


def test_the_country_is_the_ethics_committees_when_nothing_else_is_said_and_it_is_one():
    committee = "The protocol was approved by the ethics committee of Oslo, Norway."
    assert told("countries", committee) == (["Norway"], "found")
    assert told("countries", f"{committee} It was approved by the review board of Lund, Sweden.") == (
        None,
        "contradictory",
    )


@pytest.mark.parametrize(
    ("sentence", "sites"),
    [
        ("The trial was conducted at 12 evaluation centres.", 12),
        ("This single-centre study was small.", 1),
        ("Patients were recruited from five hospitals.", 5),
        ("Patients were recruited from 12 secondary and 2 primary care sites.", None),
        ("The trial was performed until January 2014 at hospitals.", None),
    ],
)
def test_sites_are_counted_when_one_number_is_said(sentence, sites):
    assert told("n_sites", sentence)[0] == sites


@pytest.mark.parametrize(
    ("sentence", "first", "last"),
    [
        ("Patients were recruited between May 15, 2009, and July 8, 2014.", "May 15, 2009", "July 8, 2014"),
        ("Patients were enrolled from March 2012 to December 2013.", "March 2012", "December 2013"),
        ("Between 29 September 2009 and 08 March 2013, women were randomised.", "29 September 2009", "08 March 2013"),
        ("The grant ran from 2009 to 2012 and supported recruitment.", None, None),
    ],
)
def test_dates_are_found_when_they_are_of_the_recruitment(sentence, first, last):
    assert (told("recruitment_start", sentence)[0], told("recruitment_end", sentence)[0]) == (first, last)


@pytest.mark.parametrize(
    ("sentence", "age"),
    [
        ("The mean age was 62.8 ± 7.9 years.", "62.8 ± 7.9 years"),
        ("Median age of the participants was 44 years (IQR 30-58).", "44 years (IQR 30-58)"),
        ("The mean age was 62 years in the tea group and 63 in the water group.", None),
        ("The mean age of the randomised patients was 10.1 years.", "10.1 years"),
        ("The median (IQR) age of the per-protocol population was 40.5 (33.7-55.2) yrs.", "40.5 (33.7-55.2) yrs"),
        ("Mean age was 40 years. Those who did not finish were younger (mean age 30 years).", "40 years"),
        ("The mean age was 47.9 in tea and 44.9 in water.", None),
        (" | All patients | Tea | Water\n\nAge (years), mean (SD) | 53 (12) | 52 (11) | 54 (13)", "53 (12)"),
        (" | All patients | Tea | Water\n\nAge of nurses, mean | 53 (12) | 52 (11) | 54 (13)", None),
        (" | Tea | Water\n\nAge (years), mean (SD) | 52 (11) | 54 (13)", None),
    ],
)
def test_age_is_of_all_when_it_is_printed(sentence, age):
    assert told("age_mean_or_median", sentence, "results")[0] == age


@pytest.mark.parametrize(
    ("sentence", "percent"),
    [
        ("Of all, 41.5% were female.", 41.5),
        ("Women (60%) took part.", 60.0),
        ("There were 26 (61.9%) men and 16 (38.1%) women.", 38.1),
        (" | Tea | Water | Total\n\nFemale, n (%) | 9 (20.0) | 8 (17.0) | 17 (18.5)", 18.5),
        (" | Tea | Water | Total\n\nFemale | 9 (20.0) | 8 (17.0) | 17 (18.5)", None),
        ("Gender Male 23 (48.9%) 16 (33.3%) Female 24 (51.1%) 32 (66.7%)", None),
        ("Females were 40% of tea and 42% of water.", None),
        ("In the tea group 41% were women.", None),
        ("Of all, 41% were male.", None),
    ],
)
def test_the_share_of_women_is_read_when_it_is_printed_and_never_worked_out(sentence, percent):
    assert told("female_percent", sentence, "results")[0] == percent


@pytest.mark.parametrize(
    ("sentence", "length"),
    [
        ("Patients were followed for 24 months.", "24 months"),
        ("Follow-up was 12 weeks.", "12 weeks"),
        ("At the 6-month follow-up they drank tea.", "6-month"),
        ("Follow-up was one year. At the 12-month follow-up they drank tea.", "one year"),
        ("Follow-up at 3 months and 1 year after surgery was the same.", "1 year"),
        ("At the 1-month follow-up they drank tea. They were followed for 2 years.", "2 years"),
        ("In a randomised trial thirst was measured at baseline and after 6 weeks.", "6 weeks"),
        ("In a randomised trial the outcome was assessed at 2, 4 and 6 weeks.", "6 weeks"),
        ("Men were randomised to tea or water for 12 weeks; follow-up was 1 year.", "1 year"),
        ("Men were randomised who had been treated for 6 months before.", None),
        ("In a randomised trial outcomes were better after 13.5 days (p < 0.01).", None),
        ("Outcomes were measured after 6 weeks.", None),
        ("The randomised trial was conducted over 3 years.", None),
        ("Follow-up was at 3 and 6 visits.", None),
        ("Nobody was lost to follow-up at 12 months.", None),
    ],
)
def test_follow_up_is_found_when_its_length_is_said(sentence, length):
    assert told("follow_up", sentence)[0] == length


def test_follow_up_is_the_trials_length_when_only_the_abstract_says_that():
    assert told("follow_up", "This was a randomised, double-blind 8-week study of tea.", "abstract")[0] == "8-week"


@pytest.mark.parametrize(
    ("sentence", "name"),
    [
        ("The primary outcome was thirst at 12 weeks.", "thirst at 12 weeks"),
        ("Primary endpoint: change in thirst; secondary endpoint: warmth.", "change in thirst"),
        ("Thirst at 12 weeks was the primary outcome.", "Thirst at 12 weeks"),
        ("The primary outcome was analysed by t test.", None),
        ("The primary outcome was not significantly different.", None),
    ],
)
def test_the_primary_outcome_is_named_when_the_sentence_defines_it(sentence, name):
    found = told("primary_outcomes", sentence)[0]
    assert (found[0]["name"] if found else None) == name


def test_intervals_and_p_values_are_listed_when_the_results_have_them():
    sentence = "Tea was better (hazard ratio 0.81, 95% CI 0.70 to 0.94; p = 0.006), water was not (P < .001)."
    first, second = one("results", results=sentence)["value"]
    told = {name: first[name] for name in ("effect_measure", "estimate", "ci_low", "ci_high", "p_value")}
    assert told == {
        "effect_measure": "hazard ratio",
        "estimate": 0.81,
        "ci_low": 0.7,
        "ci_high": 0.94,
        "p_value": "0.006",
    }
    assert (second["p_value"], second["quote"]) == ("<0.001", sentence)


def test_a_threshold_is_no_result_when_it_says_what_counts():
    assert one("results", results="Statistical significance was set at p < 0.05.")["value"] is None


@pytest.mark.parametrize(
    ("sentence", "status"),
    [
        ("This research received no external funding.", "found"),
        ("This study was supported by a grant from the Tea Board.", "found"),
        ("This study was supported by the finding that tea is wet.", "not_found"),
        ("The idea was supported by earlier work; we thank those who funded it.", "not_found"),
    ],
)
def test_funding_is_found_at_the_end_of_a_discussion_when_it_is_plain(sentence, status):
    """Mutation caught: what a discussion is "supported by" taken for money."""
    assert one("funding", discussion=sentence)["state"] == status


@pytest.mark.parametrize(
    ("sentence", "value"),
    [
        ("This study was funded by the Tea Board.", "This study was funded by the Tea Board."),
        ("Funding: The Tea Board paid.", "The Tea Board paid."),
        ("This research received no specific grant.", "This research received no specific grant."),
        ("AB received honoraria and a travel grant from Acme.", None),
        ("The funders had no role in the study.", None),
        ("(Funded by the Tea Board; number 1.)", "(Funded by the Tea Board; number 1.)"),
        ("Funding/Support: The Tea Board paid.", "The Tea Board paid."),
        ("Financial support and sponsorship\nNil.", "Nil."),
        ("Open access funding provided by the University of Tea.", None),
        ("Tea for this study was provided by the Tea Board.", None),
        ("Funding\nThe costs of publication were paid by page charges. It is an advertisement.", None),
        (
            "This study was funded by the Tea Board, which had no role in it.",
            "This study was funded by the Tea Board, which had no role in it.",
        ),
    ],
)
def test_funding_is_of_the_study_when_it_is_declared(sentence, value):
    assert told("funding", sentence, "references" if value == "" else "front")[0] == value


@pytest.mark.parametrize(
    ("sentence", "status"),
    [
        ("The present study was financially supported by a grant from the Tea Board.", "found"),
        ("The Tea Board provided financial support for the study.", "found"),
        ("Healthcare is funded by the state where this trial was.", "not_found"),
        ("Schools funded by the state were in this study.", "not_found"),
        ("The trial by Lee was funded by the Tea Board.", "not_found"),
        ("The study was not supported by any tea company.", "not_found"),
    ],
)
def test_funding_is_found_in_the_methods_when_it_is_plainly_the_studys(sentence, status):
    """Mutation caught: what else is paid for in a sentence that has the word "study"."""
    assert told("funding", sentence)[1] == status


@pytest.mark.parametrize(
    "sentence", ["The authors declare no competing interests.", "Conflict of interest: none declared."]
)
def test_conflicts_are_found_when_they_are_declared(sentence):
    assert told("conflicts", sentence, "discussion") == (sentence, "found")


@pytest.mark.parametrize(
    ("name", "sentence", "found"),
    [
        ("early_stopping", "The trial was stopped early because recruitment was slow.", True),
        ("early_stopping", "The trial would be stopped early if harm was seen.", False),
        ("limitations", "This study has several limitations.", True),
        ("limitations", "Lee et al. named the limitations of this study.", False),
        ("sample_size_calculation", "We calculated that 90 patients gave 80% power.", True),
        ("sample_size_calculation", "The small sample size is a pity.", False),
    ],
)
def test_a_sentence_is_found_when_it_says_this_of_the_study(name, sentence, found):
    part = "discussion" if name == "limitations" else "methods"
    assert (told(name, sentence, part)[1] == "found") is found


@pytest.mark.parametrize(
    ("sentence", "population"),
    [
        ("Analysis was by intention to treat.", "itt"),
        ("The modified intention-to-treat population was used.", "mitt"),
        ("The per-protocol population was analysed.", "per_protocol"),
        ("We did intention-to-treat and per-protocol analyses.", None),
        ("The primary analysis was by intention to treat. A per-protocol analysis followed.", "itt"),
    ],
)
def test_the_population_is_the_main_analysis_when_one_is_named(sentence, population):
    assert told("analysis_population", sentence)[0] == population


@pytest.mark.parametrize(
    ("name", "sentence", "value"),
    [
        ("n_included", "We included 430 977 participants.", 430977),
        ("n_lost", "4434 (1.03%) participants were lost to follow-up.", 4434),
        ("follow_up_median", "Median follow-up was 10.2 years.", "10.2 years"),
        ("data_source", "Data were obtained from the Tea Register.", "Data were obtained from the Tea Register."),
        ("missing_data", "Multiple imputation was used.", "Multiple imputation was used."),
    ],
)
def test_a_cohorts_figures_are_found_when_they_are_said(name, sentence, value):
    part = "methods" if name in {"data_source", "missing_data"} else "results"
    assert told(name, sentence, part)[0] == value


def test_a_flag_is_true_or_nothing_when_a_rule_looks_for_reporting():
    """A rule finds that a thing is said; it cannot find that it is not."""
    assert told("reports_ethics", "The ethics committee approved.") == (True, "found")
    assert told("reports_ethics", "Tea was served.") == (None, "not_found")
    assert told("reports_registration", "Registered as NCT01234567.") == (True, "found")
