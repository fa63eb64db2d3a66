import { ExportFormat, isExport } from '@meridian/contracts'
import { forwardFile } from '../../../../api-client/forward-file.ts'

/** A filter is short. */
const BODY_LIMIT_BYTES = 16 * 1024

type Context = { params: Promise<{ name: string }> }

export async function POST(request: Request, { params }: Context) {
  const { name } = await params
  const format = ExportFormat.safeParse(new URL(request.url).searchParams.get('format')).data
  if (!isExport(name) || !format) return new Response(null, { status: 404 })
  return forwardFile(request, {
    path: `/console/exports/${name}?format=${format}`,
    limitBytes: BODY_LIMIT_BYTES,
  })
}
