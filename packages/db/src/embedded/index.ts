export { EmbeddedPostgresError } from './embedded-postgres-error.ts'
export { type Embedded, type EmbeddedOptions, ensureEmbedded } from './ensure-embedded.ts'
