import { NextRequest } from 'next/server'
import NextAuth from 'next-auth'
import { readBounded } from '../../../../api-client/incoming-request.ts'
import { problemOf } from '../../../../api-client/problem.ts'
import { config } from '../../../../config.ts'
import { paths } from '../../../../paths.ts'
import { authOptions } from '../../../../session/auth-options.ts'
import { COMPANY } from '../../../../session/company-provider.ts'
import { identityFailureOf, withFailure } from '../../../../session/sign-in.ts'

const BODY_LIMIT_BYTES = 16 * 1024

type Context = { params: Promise<{ nextauth: string[] }> }

/** Answers as next-auth does; where the company's identity provider cannot be asked, the sign-in page says so. */
async function answer(request: NextRequest, context: Context): Promise<Response> {
  const atCompany = (await context.params).nextauth[1] === COMPANY
  try {
    return await NextAuth(request, context, await authOptions({ atCompany }))
  } catch (error) {
    if (!atCompany) throw error
    const url = `${config().consoleUrl}${withFailure(paths.signIn(), identityFailureOf(problemOf(error)))}`
    return request.method === 'POST' ? Response.json({ url }) : Response.redirect(url)
  }
}

export const GET = answer

export async function POST(request: NextRequest, context: Context) {
  const body = await readBounded(request, BODY_LIMIT_BYTES)
  if (body === null) return new Response(null, { status: 413 })
  const bounded = new NextRequest(request.url, { method: 'POST', headers: request.headers, body })
  return answer(bounded, context)
}
