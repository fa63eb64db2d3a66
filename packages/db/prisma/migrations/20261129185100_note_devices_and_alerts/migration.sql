-- What has no line of its own in an append-only table is noted here by the transaction of the fact, whoever writes it.
CREATE FUNCTION "note_binding"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  -- The n-th binding of a device is bound as 2n - 1 and unbound as 2n: a count that no clean-up changes.
  nth integer := (SELECT count(*) FROM bindings b WHERE b.serial_number = NEW.serial_number AND b.id <= NEW.id);
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO outbox_lines (type, subject, data)
    VALUES ('device.bound', NEW.serial_number, jsonb_build_object('binding', NEW.id, 'seq', 2 * nth - 1));
  END IF;
  IF NEW.unbound_at IS NOT NULL THEN
    INSERT INTO outbox_lines (type, subject, data)
    VALUES ('device.unbound', NEW.serial_number, jsonb_build_object('binding', NEW.id, 'seq', 2 * nth));
  END IF;
  RETURN NULL;
END $$;
-- reviewed: only a catalog row; the insert refuses nothing, and devices are bound a few times in their life
CREATE TRIGGER "bindings_noted_when_bound" AFTER INSERT ON "bindings" FOR EACH ROW EXECUTE FUNCTION "note_binding"();
-- reviewed: only a catalog row; the insert refuses nothing, and devices are unbound a few times in their life
CREATE TRIGGER "bindings_noted_when_unbound" AFTER UPDATE OF "unbound_at" ON "bindings" FOR EACH ROW
  WHEN (OLD."unbound_at" IS NULL AND NEW."unbound_at" IS NOT NULL) EXECUTE FUNCTION "note_binding"();

CREATE FUNCTION "note_alert"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO outbox_lines (type, subject, data) VALUES ('alert.opened', NEW.id::text, '{"seq": 1}');
  RETURN NULL;
END $$;
-- reviewed: only a catalog row; the insert refuses nothing, and an alert that is open already is not opened again
CREATE TRIGGER "alerts_noted_when_opened" AFTER INSERT ON "alerts" FOR EACH ROW
  WHEN (NEW."kind" <> 'endpoint_disabled') EXECUTE FUNCTION "note_alert"();
