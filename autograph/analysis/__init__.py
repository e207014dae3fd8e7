"""What the converters need to know about names: who binds them, who still reads them, which are bound."""
