-- The headers of the last try, for whoever asks why a receiver refused it.
ALTER TABLE "webhook_deliveries" ADD COLUMN "last_headers" JSONB;
