"""What is in a file? Its first bytes tell, whatever it is called."""

import re
from dataclasses import dataclass
from pathlib import Path

from relbounds.exceptions import WrongInputError

GZIP, ZIP, EMPTY_ZIP = b"\x1f\x8b", b"PK\x03\x04", b"PK\x05\x06"
PARQUET, FEATHER, OLD_FEATHER = b"PAR1", b"ARROW1", b"FEA1"
EXPECTED = "CSV, TSV, Parquet, Excel (.xlsx) or Feather"
_LONGEST = 512
_AS_CSV = "save its table as CSV and name that file"
_UNPACK = "unpack it, or pack it as .gz or .zip"
_EXPORT = "export it as CSV from the program that it comes from"
_OTHERS = {
    b"%PDF": ("a PDF document and no table", _AS_CSV),
    b"\x89PNG": ("a picture and no table", _AS_CSV),
    b"\xff\xd8\xff": ("a picture and no table", _AS_CSV),
    b"GIF8": ("a picture and no table", _AS_CSV),
    b"\xd0\xcf\x11\xe0": ("a file of an old Excel", "save it as .xlsx or as CSV and try again"),
    b"SQLite format 3": ("a database and no table", _EXPORT),
    b"\x89HDF": ("an HDF5 file and no table", _EXPORT),
    b"$FL": ("a file of SPSS", _EXPORT),
    b"<stata_dta>": ("a file of Stata", _EXPORT),
    b"RDX": ("a file of R", "write.csv saves its table as CSV"),
    b"X\n\x00": ("a file of R", "write.csv saves its table as CSV"),
    b"BZh": ("packed in a way that is not read here", _UNPACK),
    b"\xfd7zXZ": ("packed in a way that is not read here", _UNPACK),
    b"(\xb5/\xfd": ("packed in a way that is not read here", _UNPACK),
    b"7z\xbc\xaf": ("packed in a way that is not read here", _UNPACK),
    b"Rar!": ("packed in a way that is not read here", _UNPACK),
}
"""What begins like this is no table: what it is, and what to do."""
_OTHER_TEXTS = {
    rb"<(!doctype|html|head|body|table)\b": ("a web page and no table", _AS_CSV),
    rb"<\?xml|<svg\b": ("an XML file and no table", _AS_CSV),
    rb'\{\s*["}]|\[\s*[\[{"\]\d-].*[\]}]\s*$|\[\s*\{': (
        "a JSON file and no table",
        "write it as CSV first, as pandas.read_json(...).to_csv(...) does",
    ),
}


@dataclass(frozen=True)
class Source:
    """A file to read, and what people call it.

    Attributes
    ----------
    path : Path
        Where its bytes are.
    shown : str
        What it is called in messages: it may be a part of an archive.
    """

    path: Path
    shown: str

    def __str__(self) -> str:
        return self.shown

    @property
    def start(self) -> bytes:
        with self.path.open("rb") as file:
            return file.read(_LONGEST)


def refuse_other_contents(source: Source) -> None:
    """A sentence for a file that is known to be no table."""
    start = source.start
    text = start.removeprefix(b"\xef\xbb\xbf").lstrip()
    found = [told for magic, told in _OTHERS.items() if start.startswith(magic)]
    found += [
        told
        for pattern, told in _OTHER_TEXTS.items()
        if re.match(pattern, text, re.IGNORECASE | re.DOTALL)
    ]
    if start[257:262] == b"ustar":
        found.append(
            ("an archive of files (tar) and no table", "unpack it and name the file with the table")
        )
    if found:
        what, advice = found[0]
        raise WrongInputError(f"{source} is {what}; {advice}.")
