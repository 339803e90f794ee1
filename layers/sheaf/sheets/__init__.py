"""The kind of work that cleans a workbook: one upload, one task of one row, one clean table. docs/sheets.md."""
