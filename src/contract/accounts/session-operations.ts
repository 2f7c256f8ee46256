import * as at from '#contract/operations/addresses.ts'
import { defineOperations } from '#contract/operations/operation.ts'
import {
  okResponse,
  passwordResetBody,
  passwordResetRequestBody,
  secondFactorBody,
  sessionResponse,
  signInBody,
  signInResponse,
} from './sessions.ts'

/** Operations to log in and out. The session is an HttpOnly cookie. */
export const sessionOperations = defineOperations({
  signIn: {
    address: at.signIn,
    summary: 'Log in with email and password',
    tag: 'Sessions',
    body: signInBody,
    answers: { 200: signInResponse },
    problems: ['auth.invalid_credentials', 'auth.email_not_verified', 'auth.invalid_email'],
  },
  completeSignIn: {
    address: at.completeSignIn,
    summary: 'The second step of logging in, with a code from the app or a backup code',
    tag: 'Sessions',
    body: secondFactorBody,
    answers: { 200: sessionResponse },
    problems: [
      'account.wrong_code',
      'account.code_locked',
      'account.second_factor_unreadable',
      'auth.second_factor_expired',
      'account.code_required',
    ],
  },
  signOut: {
    address: at.signOut,
    summary: 'End the session',
    tag: 'Sessions',
    answers: { 200: okResponse },
    problems: [],
  },
  getSession: {
    address: at.getSession,
    summary: 'Who is logged in, or null',
    tag: 'Sessions',
    answers: { 200: sessionResponse },
    problems: [],
  },
  requestPasswordReset: {
    address: at.requestPasswordReset,
    summary: 'Send a reset link, if the address has an account',
    tag: 'Sessions',
    body: passwordResetRequestBody,
    answers: { 200: okResponse },
    problems: ['auth.invalid_email'],
  },
  resetPassword: {
    address: at.resetPassword,
    summary: 'Set a new password by a link from an email',
    tag: 'Sessions',
    body: passwordResetBody,
    answers: { 200: okResponse },
    problems: ['auth.invalid_token', 'auth.password_too_short', 'auth.password_too_long'],
  },
})
