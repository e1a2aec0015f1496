"""Formats of phrase trees: brackets, NEGRA export, TIGER-XML, exportXML, Sinica; and how they are recognised."""
