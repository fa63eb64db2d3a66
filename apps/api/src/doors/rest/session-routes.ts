import { LoginRequest, RefreshRequest, TokenPair } from '@meridian/contracts'
import { z } from 'zod'
import { logSecurityEvent } from '../../platform/log.ts'
import type { Services } from '../../services.ts'
import { logIn } from '../../users/log-in.ts'
import { logOut, refreshTokens } from '../../users/refresh-tokens.ts'
import { failures } from './failures.ts'
import type { RestApp } from './signed-in.ts'

export function sessionRoutes(app: RestApp, services: Services): void {
  app.post(
    '/auth/login',
    {
      config: { limit: 'login' },
      schema: {
        body: LoginRequest,
        response: {
          200: TokenPair,
          ...failures('invalid_request', 'invalid_login_code', 'user_disabled', 'login_not_configured'),
        },
      },
    },
    async (request) => logIn(services, request.body.code),
  )

  app.post(
    '/auth/refresh',
    {
      config: { limit: 'login' },
      schema: {
        body: RefreshRequest,
        response: {
          200: TokenPair,
          ...failures('invalid_request', 'invalid_refresh_token', 'user_disabled'),
        },
      },
    },
    async (request) =>
      refreshTokens(services, request.body.refresh_token, (user) =>
        logSecurityEvent(request.log, 'refresh_token_reused', { user, address: request.ip }),
      ),
  )

  app.post(
    '/auth/logout',
    {
      schema: {
        body: RefreshRequest,
        response: { 204: z.undefined(), ...failures('invalid_request') },
      },
    },
    async (request, reply) => {
      const user = await logOut(services, request.body.refresh_token)
      if (user)
        logSecurityEvent(request.log, 'sessions_ended', { user, address: request.ip, reason: 'logout' })
      return reply.code(204).send()
    },
  )
}
