ALTER TABLE "grants" VALIDATE CONSTRAINT "grants_of_systems_name_their_cause";
