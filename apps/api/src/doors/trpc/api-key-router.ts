import {
  ApiKeyListQuery,
  ApiKeyReference,
  ApiKeyRow,
  CreatedApiKey,
  NewApiKey,
  twoWayPageOf,
} from '@meridian/contracts'
import { listApiKeys } from '../../api-keys/list-api-keys.ts'
import { createApiKey, revokeApiKey } from '../../api-keys/manage-api-keys.ts'
import { onPool } from './console-call.ts'
import { permittedProcedure, readingProcedure, router } from './procedures.ts'

const managing = permittedProcedure('api_key.manage')

/** Keys of the company's other systems. */
export const apiKeyRouter = router({
  list: readingProcedure('api_key.manage')
    .input(ApiKeyListQuery)
    .output(twoWayPageOf(ApiKeyRow))
    .query(onPool(listApiKeys)),

  create: managing.input(NewApiKey).output(CreatedApiKey).mutation(onPool(createApiKey)),

  revoke: managing.input(ApiKeyReference).mutation(onPool(revokeApiKey)),
})
