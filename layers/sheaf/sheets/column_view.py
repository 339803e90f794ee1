"""What is told of a column. Pure."""

from typing import Annotated, Literal, TypedDict

from sheaf.schemas import Count, Said

Value = Annotated[object, Said(type=["string", "number", "boolean", "null"])]
Type = Literal[
    "integer", "float", "percent", "date", "datetime", "boolean", "category", "text", "id", "empty", "constant"
]


class Spread(TypedDict):
    distinct: Count
    top: list[list[Value]]
    min: Value
    max: Value
    mean: float | None


class ColumnView(Spread):
    """What a column holds."""

    index: Count
    header: Annotated[str, Said(description="As it stands in the file.")]
    name: Annotated[str, Said(description="Clean, and the only one of this name.")]
    unit: str | None
    type: Type
    missing: Count
    missingTokens: dict[str, int]
    invalid: Annotated[Count, Said(description="Cells that do not fit the type: they stay the text that they were.")]
    invalidExamples: list[str]
    warnings: list[str]
