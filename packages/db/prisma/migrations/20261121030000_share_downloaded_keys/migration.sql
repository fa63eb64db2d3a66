-- CreateTable
CREATE TABLE "platform_certificates" (
    "id" TEXT NOT NULL,
    "pem" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3),
    "downloaded_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "platform_certificates_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "key_refreshes" (
    "id" INTEGER NOT NULL,
    "asked_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "key_refreshes_pkey" PRIMARY KEY ("id")
);
