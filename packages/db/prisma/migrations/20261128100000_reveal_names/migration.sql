-- Since when a session shows the names of users, and why; both are empty where it masks them.
ALTER TABLE "operator_sessions" ADD COLUMN "names_revealed_at" TIMESTAMPTZ(3);
ALTER TABLE "operator_sessions" ADD COLUMN "names_reason" TEXT;
