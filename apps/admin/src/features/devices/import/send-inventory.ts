import { DeviceImport, type DeviceImportMode } from '@meridian/contracts'
import { askForFile } from '../../../api-client/ask-for-file.ts'
import { paths } from '../../../paths.ts'

/**
 * Sends an inventory file, to see what it would do or to do it.
 * @throws FileRefused
 */
export async function sendInventory(file: File, { mode }: { mode: DeviceImportMode }): Promise<DeviceImport> {
  const answer = await askForFile(paths.deviceImportFile({ mode }), {
    headers: { 'content-type': 'text/csv' },
    body: file,
  })
  return DeviceImport.parse(await answer.json())
}
