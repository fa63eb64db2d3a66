import { IMPORT_LIMIT_BYTES } from '@meridian/contracts'
import { forwardStream } from '../../../../api-client/forward-file.ts'

export const POST = (request: Request) =>
  forwardStream(request, {
    path: `/console/imports/files${new URL(request.url).search}`,
    limitBytes: IMPORT_LIMIT_BYTES,
  })
