import { forwardFile } from '../../../../api-client/forward-file.ts'

/** A month is short. */
const BODY_LIMIT_BYTES = 1024

export const POST = (request: Request) =>
  forwardFile(request, { path: '/console/exports/month-pack', limitBytes: BODY_LIMIT_BYTES })
