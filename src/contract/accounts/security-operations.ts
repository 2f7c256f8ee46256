import { z } from 'zod'
import * as at from '#contract/operations/addresses.ts'
import { defineOperations } from '#contract/operations/operation.ts'
import { idSchemaWithError } from '#contract/shared/primitives.ts'
import { operatorActionsResponse } from './operator-actions.ts'
import {
  accountSessionsResponse,
  backupCodesResponse,
  changePasswordBody,
  confirmTwoFactorBody,
  signedOutSessionsResponse,
  startTwoFactorBody,
  twoFactorConfirmationBody,
  twoFactorSetupResponse,
  twoFactorStatusResponse,
} from './security.ts'

const sessionParams = z.object({ session_id: idSchemaWithError('account.session_not_found') })

/** Operations on the owner's password, sessions and second factor. */
export const securityOperations = defineOperations({
  changePassword: {
    address: at.changePassword,
    summary: 'Change the password',
    tag: 'Security',
    forOwners: true,
    body: changePasswordBody,
    answers: { 204: z.undefined() },
    problems: ['auth.password_too_short', 'auth.password_too_long', 'account.wrong_password'],
  },
  listSessions: {
    address: at.listSessions,
    summary: 'My logged-in devices, this one first',
    tag: 'Security',
    forOwners: true,
    answers: { 200: accountSessionsResponse },
    problems: [],
  },
  listOperatorActions: {
    address: at.listOperatorActions,
    summary: 'What the operator of this installation did to my account, newest first',
    tag: 'Security',
    forOwners: true,
    answers: { 200: operatorActionsResponse },
    problems: [],
  },
  signOutSession: {
    address: at.signOutSession,
    summary: 'Sign out one device',
    tag: 'Security',
    forOwners: true,
    params: sessionParams,
    answers: { 204: z.undefined() },
    problems: ['account.session_not_found'],
  },
  signOutOtherSessions: {
    address: at.signOutOtherSessions,
    summary: 'Sign out all other devices',
    tag: 'Security',
    forOwners: true,
    answers: { 200: signedOutSessionsResponse },
    problems: [],
  },
  getTwoFactor: {
    address: at.getTwoFactor,
    summary: 'Whether two-factor authentication is on',
    tag: 'Security',
    forOwners: true,
    answers: { 200: twoFactorStatusResponse },
    problems: [],
  },
  startTwoFactor: {
    address: at.startTwoFactor,
    summary: 'Create a secret for an authenticator app; it takes effect after a first correct code',
    tag: 'Security',
    forOwners: true,
    body: startTwoFactorBody,
    answers: { 200: twoFactorSetupResponse },
    problems: ['account.wrong_password', 'account.two_factor_on'],
  },
  confirmTwoFactor: {
    address: at.confirmTwoFactor,
    summary: 'Turn two-factor authentication on with a first code from the app',
    tag: 'Security',
    forOwners: true,
    body: confirmTwoFactorBody,
    answers: { 200: twoFactorStatusResponse },
    problems: [
      'account.wrong_code',
      'account.code_required',
      'account.two_factor_on',
      'account.two_factor_off',
      'account.code_locked',
      'account.second_factor_unreadable',
    ],
  },
  removeTwoFactor: {
    address: at.removeTwoFactor,
    summary: 'Turn two-factor authentication off',
    tag: 'Security',
    forOwners: true,
    body: twoFactorConfirmationBody,
    answers: { 200: twoFactorStatusResponse },
    problems: [
      'account.wrong_password',
      'account.wrong_code',
      'account.code_required',
      'account.code_locked',
      'account.second_factor_unreadable',
      'account.two_factor_off',
    ],
  },
  replaceBackupCodes: {
    address: at.replaceBackupCodes,
    summary: 'Ten new backup codes; the old ones no longer work',
    tag: 'Security',
    forOwners: true,
    body: twoFactorConfirmationBody,
    answers: { 200: backupCodesResponse },
    problems: [
      'account.wrong_password',
      'account.wrong_code',
      'account.two_factor_off',
      'account.code_required',
      'account.code_locked',
      'account.second_factor_unreadable',
    ],
  },
})
