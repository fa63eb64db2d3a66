-- What the program keeps sealed by DATA_KEY for itself: a value that tells whether a key fits, and the key of the marks
-- of erased people, which outlives every rotation of DATA_KEY.
CREATE TABLE "sealed_keys" (
    "name" TEXT NOT NULL,
    "sealed" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sealed_keys_pkey" PRIMARY KEY ("name")
);
