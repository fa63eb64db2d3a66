-- When an operator's session last wrote: for ten seconds whatever it lists is read from the primary (SPEC §18).
ALTER TABLE "operator_sessions" ADD COLUMN "wrote_at" timestamptz(3);
