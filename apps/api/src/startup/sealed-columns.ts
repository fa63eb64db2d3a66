import { sealedSecrets } from '../devices/sealed-secrets.ts'
import { sealedFactors } from '../operators/sealed-factors.ts'
import { sealedKeys } from '../platform/crypto/data-keys.ts'
import type { SealedColumn } from '../platform/crypto/sealed-column.ts'

/** Everything that is sealed by DATA_KEY. */
export const sealedColumns: readonly SealedColumn[] = [sealedKeys, sealedFactors, sealedSecrets]
