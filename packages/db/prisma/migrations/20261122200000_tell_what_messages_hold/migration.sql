-- CreateTable
CREATE TABLE "message_attempts" (
    "id" BIGSERIAL NOT NULL,
    "user_id" UUID NOT NULL,
    "template" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "failure" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "message_attempts_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "message_attempts_user_id_at_idx" ON "message_attempts"("user_id", "at");

-- CreateIndex
CREATE INDEX "message_attempts_at_idx" ON "message_attempts"("at");

-- AddForeignKey
ALTER TABLE "message_attempts" ADD CONSTRAINT "message_attempts_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A template that was only an id had the fields thing1, time2 and thing3. The version stays: nobody edited the setting.
UPDATE "settings" SET "value" = (
  SELECT jsonb_object_agg(t.key, CASE jsonb_typeof(t.value) WHEN 'string' THEN
    jsonb_build_object('id', t.value, 'fields', '{"thing1": "plan", "time2": "expires_at", "thing3": "notice"}'::jsonb)
    ELSE t.value END)
  FROM jsonb_each("settings"."value") t)
WHERE "key" = 'message_templates' AND jsonb_typeof("value") = 'object' AND "value" <> '{}'::jsonb;
