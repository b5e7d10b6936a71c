"""Results for people and machines: text, JSON, JUnit, Mermaid, pictures, the live line."""
