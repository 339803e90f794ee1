"""An exported workbook and CSV in the programs that people open them with. Skipped where those are not installed.

LibreOffice: `apt-get install libreoffice-calc`. pandas: `pip install pandas`.
"""

import csv
import io
import shutil
import subprocess
from pathlib import Path

import pytest

from clinical.export_table import text_files, workbook
from tests.unit.test_export_files import ARMS, NUMBER, PAPER, PLACES, written

OFFICE = shutil.which("soffice") or shutil.which("libreoffice")
FIELDS = [NUMBER, PLACES, ARMS]


@pytest.mark.long
@pytest.mark.skipif(OFFICE is None, reason="LibreOffice is not installed")
@pytest.mark.parametrize(("writer", "name"), [(workbook.write, "table.xlsx"), (text_files.wide, "table.csv")])
def test_libreoffice_reads_the_values_and_runs_none_of_them(tmp_path: Path, writer, name):
    (tmp_path / name).write_bytes(written(writer, [PAPER], FIELDS))
    to = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false,false,false,1"
    home = f"-env:UserInstallation=file://{tmp_path / 'home'}"
    # By hand its dialogue sees the letters from the file's first bytes; without a screen it has to be told them.
    letters = ["--infilter=CSV:44,34,76"] if name.endswith(".csv") else []
    asked = [str(OFFICE), home, "--headless", *letters, "--convert-to", to, "--outdir", str(tmp_path / "out")]
    asked.append(str(tmp_path / name))
    subprocess.run(asked, check=True, capture_output=True, timeout=180)
    (read,) = (tmp_path / "out").iterdir()
    cells = [cell for row in csv.reader(io.StringIO(read.read_text("utf-8-sig"))) for cell in row]
    assert {"-5", "Wu 2015", "Norway; =Peru", "tea, 60; 水"} <= set(cells)


def test_pandas_reads_numbers_as_numbers(tmp_path: Path):
    pandas = pytest.importorskip("pandas")
    frame = pandas.read_csv(io.BytesIO(written(text_files.wide, [PAPER], FIELDS)))
    assert frame["n"].tolist() == [-5]
    assert frame["arms"].tolist() == ["tea, 60; 水"]
    (tmp_path / "table.xlsx").write_bytes(written(workbook.write, [PAPER], FIELDS))
    table = pandas.read_excel(tmp_path / "table.xlsx", engine="calamine", header=1)
    assert table["Number"].tolist() == [-5]
