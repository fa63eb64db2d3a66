import { ExportReference } from '@meridian/contracts'
import { forwardFile } from '../../../../../api-client/forward-file.ts'

type Context = { params: Promise<{ id: string }> }

/** A file that a worker wrote, for whoever may have it. */
export async function POST(request: Request, { params }: Context) {
  const reference = ExportReference.safeParse(await params).data
  if (!reference) return new Response(null, { status: 404 })
  return forwardFile(request, { path: `/console/exports/kept/${reference.id}`, limitBytes: 1024 })
}
