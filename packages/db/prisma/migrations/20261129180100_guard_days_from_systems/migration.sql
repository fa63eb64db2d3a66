-- Days from a system are given, never taken, and say why; who gave them is in integration_grants.
ALTER TABLE "grants" ADD CONSTRAINT "grants_of_systems_name_their_cause" CHECK (
  "kind" <> 'integration_grant' OR ("reason" IS NOT NULL AND "days" > 0)) NOT VALID;
