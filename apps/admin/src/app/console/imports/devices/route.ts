import { DEVICE_IMPORT_LIMIT_BYTES } from '@meridian/contracts'
import { forwardFile } from '../../../../api-client/forward-file.ts'

export const POST = (request: Request) => {
  const apply = new URL(request.url).searchParams.get('apply') === 'true'
  return forwardFile(request, {
    path: `/console/imports/devices?apply=${apply}`,
    limitBytes: DEVICE_IMPORT_LIMIT_BYTES,
  })
}
