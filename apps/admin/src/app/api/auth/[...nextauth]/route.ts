import { NextRequest } from 'next/server'
import NextAuth from 'next-auth'
import { readBounded } from '../../../../api-client/incoming-request.ts'
import { authOptions } from '../../../../session/auth-options.ts'

const BODY_LIMIT_BYTES = 16 * 1024

type Context = { params: Promise<{ nextauth: string[] }> }

export const GET = (request: NextRequest, context: Context) => NextAuth(request, context, authOptions())

export async function POST(request: NextRequest, context: Context) {
  const body = await readBounded(request, BODY_LIMIT_BYTES)
  if (body === null) return new Response(null, { status: 413 })
  const bounded = new NextRequest(request.url, { method: 'POST', headers: request.headers, body })
  return NextAuth(bounded, context, authOptions())
}
