import { forwardToApi } from '../../../../api-client/forward.ts'

type Context = { params: Promise<{ trpc: string }> }

const forward = async (request: Request, { params }: Context) => forwardToApi(request, (await params).trpc)

export { forward as GET, forward as POST }
