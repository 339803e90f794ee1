"""Countries: their names, what else papers call them, and their people's names. Data only."""


def _pairs(text: str) -> dict[str, str]:
    """What stands before each equals sign, and what it means."""
    return dict(pair.split("=") for pair in text.split("|"))


_COUNTRIES = (
    "Afghanistan|Albania|Algeria|Angola|Argentina|Armenia|Australia|Austria|Azerbaijan|Bahrain|Bangladesh|"
    "Barbados|Belarus|Belgium|Belize|Benin|Bhutan|Bolivia|Bosnia and Herzegovina|Botswana|Brazil|Brunei|"
    "Bulgaria|Burkina Faso|Burundi|Cambodia|Cameroon|Canada|Central African Republic|Chile|China|Colombia|"
    "Costa Rica|Croatia|Cuba|Cyprus|Czech Republic|Democratic Republic of the Congo|Denmark|Djibouti|"
    "Dominican Republic|Ecuador|Egypt|El Salvador|Eritrea|Estonia|Ethiopia|Fiji|Finland|France|Gabon|"
    "Gambia|Germany|Ghana|Greece|Guatemala|Guinea-Bissau|Haiti|Honduras|Hong Kong|Hungary|Iceland|India|"
    "Indonesia|Iran|Iraq|Ireland|Israel|Italy|Jamaica|Japan|Kazakhstan|Kenya|Kosovo|Kuwait|Kyrgyzstan|"
    "Laos|Latvia|Lebanon|Lesotho|Liberia|Libya|Lithuania|Luxembourg|Macedonia|Madagascar|Malawi|Malaysia|"
    "Mali|Malta|Mauritius|Mexico|Moldova|Mongolia|Montenegro|Morocco|Mozambique|Myanmar|Namibia|Nepal|"
    "Netherlands|New Zealand|Nicaragua|Nigeria|Norway|Oman|Pakistan|Palestine|Panama|Papua New Guinea|"
    "Paraguay|Peru|Philippines|Poland|Portugal|Puerto Rico|Qatar|Romania|Russia|Rwanda|Saudi Arabia|"
    "Senegal|Serbia|Sierra Leone|Singapore|Slovakia|Slovenia|Somalia|South Africa|South Korea|South Sudan|"
    "Spain|Sri Lanka|Sudan|Swaziland|Sweden|Switzerland|Syria|Taiwan|Tanzania|Thailand|Togo|"
    "Trinidad and Tobago|Tunisia|Turkey|Uganda|Ukraine|United Arab Emirates|United Kingdom|United States|"
    "Uruguay|Uzbekistan|Venezuela|Vietnam|Yemen|Zambia|Zimbabwe"
)
ALIASES = _pairs(
    "Brasil=Brazil|Burma=Myanmar|Czechia=Czech Republic|Côte d'Ivoire=Côte d'Ivoire|"
    "DR Congo=Democratic Republic of the Congo|England=United Kingdom|España=Spain|Eswatini=Swaziland|"
    "Great Britain=United Kingdom|Holland=Netherlands|Ivory Coast=Côte d'Ivoire|KSA=Saudi Arabia|"
    "Korea=South Korea|México=Mexico|Northern Ireland=United Kingdom|P.R. China=China|PR China=China|Perú=Peru|"
    "Republic of Ireland=Ireland|Republic of Korea=South Korea|Russian Federation=Russia|Scotland=United Kingdom|"
    "The Gambia=Gambia|Turkiye=Turkey|Türkiye=Turkey|U.K.=United Kingdom|U.S.=United States|"
    "U.S.A.=United States|UAE=United Arab Emirates|UK=United Kingdom|US=United States|USA=United States|"
    "United States of America=United States|Viet Nam=Vietnam|Wales=United Kingdom"
)
PEOPLES = _pairs(
    "Australian=Australia|Austrian=Austria|Bangladeshi=Bangladesh|Belgian=Belgium|Brazilian=Brazil|"
    "British=United Kingdom|Canadian=Canada|Chilean=Chile|Chinese=China|Colombian=Colombia|Czech=Czech Republic|"
    "Danish=Denmark|Dutch=Netherlands|Egyptian=Egypt|English=United Kingdom|Ethiopian=Ethiopia|Finnish=Finland|"
    "French=France|German=Germany|Ghanaian=Ghana|Greek=Greece|Hungarian=Hungary|Indian=India|Iranian=Iran|"
    "Irish=Ireland|Israeli=Israel|Italian=Italy|Japanese=Japan|Kenyan=Kenya|Korean=South Korea|"
    "Malaysian=Malaysia|Mexican=Mexico|New Zealand=New Zealand|Nigerian=Nigeria|Norwegian=Norway|"
    "Pakistani=Pakistan|Polish=Poland|Portuguese=Portugal|Scottish=United Kingdom|Spanish=Spain|Swedish=Sweden|"
    "Swiss=Switzerland|Taiwanese=Taiwan|Thai=Thailand|Turkish=Turkey|Ugandan=Uganda|"
    "Argentinian=Argentina|Argentine=Argentina|Bulgarian=Bulgaria|Croatian=Croatia|Cuban=Cuba|Estonian=Estonia|"
    "Filipino=Philippines|Gambian=Gambia|Guatemalan=Guatemala|Icelandic=Iceland|Indonesian=Indonesia|Jordanian=Jordan|"
    "Lebanese=Lebanon|Lithuanian=Lithuania|Malawian=Malawi|Moroccan=Morocco|Mozambican=Mozambique|Nepalese=Nepal|"
    "Peruvian=Peru|Romanian=Romania|Russian=Russia|Rwandan=Rwanda|Saudi=Saudi Arabia|Serbian=Serbia|"
    "Slovenian=Slovenia|South African=South Africa|Sri Lankan=Sri Lanka|Sudanese=Sudan|Tanzanian=Tanzania|"
    "Tunisian=Tunisia|Ukrainian=Ukraine|Vietnamese=Vietnam|Zambian=Zambia|Zimbabwean=Zimbabwe"
)
_LANGUAGES = "English|French|Spanish|German|Dutch|Portuguese|Chinese|Swedish|Italian|Danish|Finnish|Turkish"
_AMERICANS = "African|Asian|Mexican|Chinese|Japanese|Korean|Cuban|Indian|Vietnamese|Cambodian|Native"
ELSEWHERE = (
    r"\bNew (?:South )?(?:Wales|England|Mexico|Britain)\b|\b(?:East|West)(?:ern)? Azerbaijan\b|\bBritish Columbia\b"
    rf"|\b(?:{_LANGUAGES})[- ](?:speak\w*|language\w*|version\w*|translation\w*|proficien\w*)|\b(?:{_AMERICANS})[- ]Americans?\b|\bAmerican Indians?\b"
    r"|\bLebanon,? (?:NH|N\.H\.|New Hampshire|PA|Pennsylvania)\b|\bHolland,? (?:MI|Michigan)\b|\bStatistics Denmark\b"
    r"|\bUS[- ](?:guid\w+|exam\w*|scan\w*|imag\w+|findings|probes?|features|machine|elastograph\w+)|\bultraso\w+ \(US\)"
    r"|\b(?:[A-Z][\w.-]{1,60}+,? (?:and |& )?){1,4}(?:[Cc]linical |[Cc]ontrolled )?[Tt]rials?,? (?:Research )?(?:[Rr]egist\w+|Network|Unit)|\bRegist\w+ of (?:[A-Z]\w+ ){0,2}(?:Clinical )?Trials"
    r"|\b(?:Declaration of Helsinki|Helsinki),? \(?Finland\b"
)
"""Names with a country's in them that are none: a register of trials, a state, a language, a people elsewhere, ultrasound."""
NAMES = {name: name for name in _COUNTRIES.split("|")} | ALIASES
