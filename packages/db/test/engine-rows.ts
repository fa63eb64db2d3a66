/**
 * What Prisma's schema engine 7.10.0 wrote, which applied the migrations of earlier releases: one applied; one that
 * failed, was noted as rolled back and then applied; one that failed and was never tried again.
 */
export const engineRows = `
  CREATE TABLE _prisma_migrations (
    id                  VARCHAR(36) PRIMARY KEY NOT NULL,
    checksum            VARCHAR(64) NOT NULL,
    finished_at         TIMESTAMPTZ,
    migration_name      VARCHAR(255) NOT NULL,
    logs                TEXT,
    rolled_back_at      TIMESTAMPTZ,
    started_at          TIMESTAMPTZ NOT NULL DEFAULT now(),
    applied_steps_count INTEGER NOT NULL DEFAULT 0
  );
  INSERT INTO _prisma_migrations VALUES
    ('d970bfa7-6c08-4036-ae63-c90b91cf7324', '9306ca57b3a4fb17ae7aa78ad99be9dd1357a32738ef31c6967a59bd2346ee96',
     '2026-11-24 16:07:23.893+00', '20300101000000_first', NULL, NULL, '2026-11-24 16:07:23.889+00', 1),
    ('ed7b7711-393b-4d63-9bce-3dc9505cc324', 'bde7a8b050d2f80e2f92ab1415fc399adceb3789606c255dc3f4e77fd4c882ef',
     NULL, '20300102000000_second', 'external connector error
Error querying the database: ERROR: division by zero
   0: sql_schema_connector::apply_migration::apply_script
           with migration_name="20300102000000_second"', '2026-11-24 16:07:23.947+00', '2026-11-24 16:07:23.893+00', 0),
    ('54cf5bdd-2f69-42d6-b8aa-8f642fd35a1b', '3200b9c29855cdfc36504b0e170c45054d0675626e6262fea052c654a729a1bb',
     '2026-11-24 16:07:23.953+00', '20300102000000_second', NULL, NULL, '2026-11-24 16:07:23.951+00', 1),
    ('a81a0295-48f7-459e-b475-4285800da107', '04943197a3cdcd235a75c3e68b44eb824d55e240c38cde15e26b32526cc15944',
     NULL, '20300103000000_third', 'external connector error
Error accessing result set, column not found: nothing
   0: sql_schema_connector::apply_migration::apply_script
           with migration_name="20300103000000_third"', NULL, '2026-11-24 16:07:24.002+00', 0)`
