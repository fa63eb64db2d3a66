-- When a backup of the embedded database was last restored into a server of its own and found whole; null: never.
ALTER TABLE "backups" ADD COLUMN "verified_at" TIMESTAMPTZ(3);
