import { APIError, createAuthEndpoint } from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'

/** The path of the endpoint below. Like all paths of the account library, only this server can call it. */
export const PROVEN_SIGN_IN_PATH = '/sign-in/proven'

/** The error code for an account that has to log in with its password. */
export const PASSWORD_NEEDED = 'PASSWORD_NEEDED'

/**
 * Adds an endpoint to the account library that logs in without a password. `findUserId` returns the account that the
 * caller has proven by other means, or undefined. An account with a second factor gets no session. Source: rule U4.
 */
export function provenSignIn(findUserId: () => string | undefined) {
  return {
    id: 'proven-sign-in',
    endpoints: {
      signInProven: createAuthEndpoint(PROVEN_SIGN_IN_PATH, { method: 'POST' }, async (ctx) => {
        const userId = findUserId()
        const user = userId === undefined ? null : await ctx.context.internalAdapter.findUserById(userId)
        // Only a user that says that there is no second factor may do without it.
        if (user === null || !('twoFactorEnabled' in user) || user.twoFactorEnabled !== false) {
          throw new APIError('UNAUTHORIZED', { code: PASSWORD_NEEDED, message: PASSWORD_NEEDED })
        }
        const session = await ctx.context.internalAdapter.createSession(user.id)
        await setSessionCookie(ctx, { session, user })
        return ctx.json({ ok: true })
      }),
    },
  }
}
