"""What the SQL says, as small typed values: bounds, writes, volatile values, reads of itself."""
