import { z } from 'zod'
import * as at from '#contract/operations/addresses.ts'
import { defineOperations } from '#contract/operations/operation.ts'
import {
  emailChangeBody,
  notificationChanges,
  passwordConfirmationBody,
  profileChanges,
  profileSchema,
} from './profile.ts'
import { okResponse } from './sessions.ts'

/** Operations on the owner's profile and account. */
export const profileOperations = defineOperations({
  getProfile: {
    address: at.getProfile,
    summary: 'My profile',
    tag: 'Profile and subscription',
    forOwners: true,
    answers: { 200: profileSchema },
    problems: [],
  },
  updateProfile: {
    address: at.updateProfile,
    summary: 'Change my profile; a new email address takes effect when it is confirmed',
    tag: 'Profile and subscription',
    forOwners: true,
    body: profileChanges,
    answers: { 200: profileSchema },
    problems: [
      'request.changed_meanwhile',
      'calendar.time_zone_unknown',
      'account.wrong_password',
      'account.first_name_required',
      'account.email_required',
      'account.password_required',
      'auth.invalid_email',
    ],
  },
  updateNotifications: {
    address: at.updateNotifications,
    summary: 'Which messages I get',
    tag: 'Profile and subscription',
    forOwners: true,
    body: notificationChanges,
    answers: { 200: profileSchema },
    problems: [],
  },
  cancelEmailChange: {
    address: at.cancelEmailChange,
    summary: 'Cancel the change of my email address',
    tag: 'Profile and subscription',
    forOwners: true,
    answers: { 204: z.undefined() },
    problems: [],
  },
  exportAccount: {
    address: at.exportAccount,
    summary: 'Export my account as a ZIP archive of JSON and CSV files',
    tag: 'Profile and subscription',
    forOwners: true,
    body: passwordConfirmationBody,
    answers: { 200: { content: { 'application/zip': { schema: z.any() } } } },
    problems: ['account.wrong_password', 'account.password_required'],
  },
  deleteAccount: {
    address: at.deleteAccount,
    summary: 'Delete my account and everything in it',
    tag: 'Profile and subscription',
    forOwners: true,
    body: passwordConfirmationBody,
    answers: { 204: z.undefined() },
    problems: [
      'account.wrong_password',
      'payment.deletion_under_way',
      'payment.deletion_unanswered',
      'subscription.deletion_failed',
      'account.password_required',
    ],
  },
  confirmEmailChange: {
    address: at.confirmEmailChange,
    summary: 'Confirm a new email address by a link from an email',
    tag: 'Profile and subscription',
    body: emailChangeBody,
    answers: { 200: okResponse },
    problems: ['auth.invalid_token'],
  },
})
