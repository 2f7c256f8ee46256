import {
  brandingChanges,
  brandingPreviewSchema,
  brandingSchema,
  logoSchema,
  makeLogoBody,
  previewBrandingBody,
  publicBrandingSchema,
} from '#contract/branding.ts'
import { bookingLinkParams, calendarParams } from '#contract/calendars.ts'
import * as at from './addresses.ts'
import { defineOperations } from './operation.ts'

/** The look of a booking page. */
export const brandingOperations = defineOperations({
  getPublicBranding: {
    address: at.getPublicBranding,
    summary: 'The look of a booking page: colours, logo and texts',
    tag: 'Public booking',
    params: bookingLinkParams,
    answers: { 200: publicBrandingSchema },
    problems: ['calendar.not_found'],
  },
  getBranding: {
    address: at.getBranding,
    summary: 'The branding of one of my calendars',
    tag: 'Calendars',
    forOwners: true,
    params: calendarParams,
    answers: { 200: brandingSchema },
    problems: ['calendar.not_found', 'calendar.forbidden'],
  },
  updateBranding: {
    address: at.updateBranding,
    summary: 'Change the branding of a calendar',
    tag: 'Calendars',
    forOwners: true,
    params: calendarParams,
    body: brandingChanges,
    answers: { 200: brandingSchema },
    problems: [
      'calendar.not_found',
      'calendar.forbidden',
      'request.changed_meanwhile',
      'branding.not_in_plan',
      'branding.logo_address_invalid',
      'branding.logo_unreachable',
      'branding.logo_too_large',
      'branding.logo_not_an_image',
      'branding.logo_unknown',
      'branding.css_refused',
    ],
  },
  previewBranding: {
    address: at.previewBranding,
    summary: 'The branding as visitors would see it, and what of the custom CSS is refused',
    tag: 'Calendars',
    forOwners: true,
    params: calendarParams,
    body: previewBrandingBody,
    answers: { 200: brandingPreviewSchema },
    problems: ['calendar.not_found', 'calendar.forbidden', 'branding.not_in_plan', 'branding.logo_unknown'],
  },
  makeLogo: {
    address: at.makeLogo,
    summary: 'Make a logo of an address or a file; it is shown when the branding is saved with it',
    tag: 'Calendars',
    forOwners: true,
    params: calendarParams,
    body: makeLogoBody,
    answers: { 200: logoSchema },
    problems: [
      'calendar.not_found',
      'calendar.forbidden',
      'branding.not_in_plan',
      'branding.logo_address_invalid',
      'branding.logo_unreachable',
      'branding.logo_too_large',
      'branding.logo_not_an_image',
    ],
  },
})
