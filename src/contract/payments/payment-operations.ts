import { z } from 'zod'
import { calendarParams } from '#contract/calendars/calendars.ts'
import * as at from '#contract/operations/addresses.ts'
import { defineOperations } from '#contract/operations/operation.ts'
import {
  accountSourceBody,
  completeConnectionBody,
  completeConnectionResponse,
  connectionParams,
  connectUrlResponse,
  paymentSettingsChanges,
  paymentSettingsSchema,
} from './payment-settings.ts'

/** Operations on calendars' payment settings and their accounts at payment providers. */
export const paymentOperations = defineOperations({
  getPaymentSettings: {
    address: at.getPaymentSettings,
    summary: 'The payment settings of a calendar',
    tag: 'Payments',
    forOwners: true,
    params: calendarParams,
    answers: { 200: paymentSettingsSchema },
    problems: ['calendar.not_found', 'calendar.forbidden'],
  },
  savePaymentSettings: {
    address: at.savePaymentSettings,
    summary: 'Change the payment settings of a calendar',
    tag: 'Payments',
    forOwners: true,
    params: calendarParams,
    body: paymentSettingsChanges,
    answers: { 200: paymentSettingsSchema },
    problems: [
      'request.changed_meanwhile',
      'calendar.not_found',
      'calendar.forbidden',
      'payment.paypal_connected',
      'payment.redirect_uri_invalid',
      'payment.not_in_plan',
    ],
  },
  createConnectUrl: {
    address: at.createConnectUrl,
    summary: "The URL of the payment provider's page on which I connect an account",
    tag: 'Payments',
    forOwners: true,
    params: connectionParams,
    answers: { 200: connectUrlResponse },
    problems: [
      'calendar.not_found',
      'calendar.forbidden',
      'payment.paypal_incomplete',
      'payment.paypal_credentials_incomplete',
      'payment.provider_not_offered',
      'payment.not_in_plan',
    ],
  },
  connectAccountOfCalendar: {
    address: at.connectAccountOfCalendar,
    summary: 'Connect the account that another calendar of mine uses',
    tag: 'Payments',
    forOwners: true,
    params: connectionParams,
    body: accountSourceBody,
    answers: { 200: paymentSettingsSchema },
    problems: [
      'calendar.not_found',
      'calendar.forbidden',
      'payment.account_connected',
      'payment.account_unavailable',
      'payment.connect_failed',
      'payment.provider_not_offered',
      'payment.not_in_plan',
    ],
  },
  disconnectProvider: {
    address: at.disconnectProvider,
    summary: 'Disconnect an account of a payment provider',
    tag: 'Payments',
    forOwners: true,
    params: connectionParams,
    answers: { 204: z.undefined() },
    problems: [
      'calendar.not_found',
      'calendar.forbidden',
      'payment.disconnect_under_way',
      'payment.disconnect_failed',
    ],
  },
  completeConnection: {
    address: at.completeConnection,
    summary: "Complete the connection after the payment provider's redirect",
    tag: 'Payments',
    forOwners: true,
    body: completeConnectionBody,
    answers: { 200: completeConnectionResponse },
    problems: ['payment.callback_invalid', 'payment.not_in_plan', 'payment.connect_failed'],
  },
})
