-- A decision wrote an index row that only the list of decisions read. The list looks through the audit entries instead.
DROP INDEX audit_decision;
