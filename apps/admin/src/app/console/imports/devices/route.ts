import { DEVICE_IMPORT_LIMIT_BYTES, DeviceImportMode } from '@meridian/contracts'
import { forwardFile } from '../../../../api-client/forward-file.ts'

export const POST = (request: Request) => {
  const mode = DeviceImportMode.catch('preview').parse(new URL(request.url).searchParams.get('mode'))
  return forwardFile(request, {
    path: `/console/imports/devices?mode=${mode}`,
    limitBytes: DEVICE_IMPORT_LIMIT_BYTES,
  })
}
