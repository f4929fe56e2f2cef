"""What people see: commands, tables, pictures, files. The only user of pandas, matplotlib, click and rich."""
