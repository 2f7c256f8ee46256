import { z } from 'zod'
import * as at from '#contract/operations/addresses.ts'
import { defineOperations } from '#contract/operations/operation.ts'
import {
  chooseOpenCalendarsBody,
  customerPortalBody,
  customerPortalResponse,
  listInvoicesResponse,
  planChangePreviewQuery,
  planChangePreviewResponse,
  subscriptionCheckoutBody,
  subscriptionCheckoutResponse,
  subscriptionResponse,
} from './subscription.ts'

const TAG = 'Profile and subscription'

/** Operations on the owner's plan: buying, changing and ending it. */
export const subscriptionOperations = defineOperations({
  checkSubscription: {
    address: at.checkSubscription,
    summary: 'My plan and what it allows',
    tag: TAG,
    forOwners: true,
    answers: { 200: subscriptionResponse },
    problems: [],
  },
  refreshSubscription: {
    address: at.refreshSubscription,
    summary: 'Update my plan from the billing provider',
    tag: TAG,
    forOwners: true,
    answers: { 200: subscriptionResponse },
    problems: ['subscription.refresh_failed'],
  },
  createSubscriptionCheckout: {
    address: at.createSubscriptionCheckout,
    summary: 'Start buying a plan; returns the URL to pay at',
    tag: TAG,
    forOwners: true,
    body: subscriptionCheckoutBody,
    answers: { 200: subscriptionCheckoutResponse },
    problems: [
      'subscription.not_for_sale',
      'subscription.given',
      'subscription.checkout_failed',
      'subscription.checkout_under_way',
    ],
  },
  openCustomerPortal: {
    address: at.openCustomerPortal,
    summary: 'The URL of the portal for changing or ending my plan',
    tag: TAG,
    forOwners: true,
    body: customerPortalBody,
    answers: { 200: customerPortalResponse },
    problems: ['subscription.not_for_sale', 'subscription.nothing_to_manage', 'subscription.portal_failed'],
  },
  listInvoices: {
    address: at.listInvoices,
    summary: 'The invoices of my plan',
    tag: TAG,
    forOwners: true,
    answers: { 200: listInvoicesResponse },
    problems: ['subscription.invoices_failed'],
  },
  previewPlanChange: {
    address: at.previewPlanChange,
    summary: 'Preview the effects of changing to another plan',
    tag: TAG,
    forOwners: true,
    query: planChangePreviewQuery,
    answers: { 200: planChangePreviewResponse },
    problems: [],
  },
  chooseOpenCalendars: {
    address: at.chooseOpenCalendars,
    summary: 'Choose which calendars stay open on a smaller plan',
    tag: TAG,
    forOwners: true,
    body: chooseOpenCalendarsBody,
    answers: { 204: z.undefined() },
    problems: ['calendar.not_found', 'subscription.too_many_calendars', 'subscription.choice_locked'],
  },
})
