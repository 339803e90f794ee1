"""Pages that are pictures, read by a MinerU server."""
