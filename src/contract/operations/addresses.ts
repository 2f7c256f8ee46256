/**
 * The method and path of every operation, without its schemas: the browser takes a call from here and its types from the
 * tables beside. Each is a constant of its own, so that a page downloads those that it uses.
 */

export const getPublicCalendarBySlug = 'GET /api/public/calendars/:slug'
export const getPublicPaymentProviders = 'GET /api/public/calendars/:slug/payment-providers'
export const listCalendars = 'GET /api/calendars'
export const createCalendar = 'POST /api/calendars'
export const getCalendar = 'GET /api/calendars/:id'
export const getCalendarOutlook = 'GET /api/calendars/:id/outlook'
export const updateCalendar = 'PATCH /api/calendars/:id'
export const deleteCalendar = 'DELETE /api/calendars/:id'

export const getPublicBranding = 'GET /api/public/calendars/:slug/branding'
export const getBranding = 'GET /api/calendars/:id/branding'
export const updateBranding = 'PATCH /api/calendars/:id/branding'
export const previewBranding = 'POST /api/calendars/:id/branding/preview'
export const makeLogo = 'POST /api/calendars/:id/branding/logo'

export const getPublicAppointmentTypes = 'GET /api/public/calendars/:slug/appointment-types'
export const listAppointmentTypes = 'GET /api/calendars/:id/appointment-types'
export const createAppointmentType = 'POST /api/calendars/:id/appointment-types'
export const updateAppointmentType = 'PATCH /api/calendars/:id/appointment-types/:type_id'
export const getAppointmentTypeUsage = 'GET /api/calendars/:id/appointment-types/:type_id/usage'
export const deleteAppointmentType = 'DELETE /api/calendars/:id/appointment-types/:type_id'

export const listLocations = 'GET /api/locations'
export const updateLocation = 'PATCH /api/locations/:location_id'
export const deleteLocation = 'DELETE /api/locations/:location_id'
export const getLocationUsage = 'GET /api/locations/:location_id/usage'
export const removeCalendarFromLocation = 'DELETE /api/locations/:location_id/calendars/:calendar_id'
export const listCalendarLocations = 'GET /api/calendars/:id/locations'
export const addCalendarLocation = 'POST /api/calendars/:id/locations'
export const setPrimaryLocation = 'POST /api/calendars/:id/locations/:calendar_location_id/primary'
export const removeCalendarLocation = 'DELETE /api/calendars/:id/locations/:calendar_location_id'

export const getAvailability = 'GET /api/calendars/:id/availability'
export const addAvailability = 'POST /api/calendars/:id/availability'
export const copyAvailability = 'POST /api/calendars/:id/availability/copy'
export const removeAvailability = 'DELETE /api/calendars/:id/availability/:availability_id'
export const updateSlotSettings = 'PATCH /api/calendars/:id/slot-settings'
export const previewAvailability = 'GET /api/calendars/:id/availability/preview'

export const getPublicAvailableTimeSlotsWithGoogle = 'GET /api/public/calendars/:slug/slots'
export const listPublicAvailableDays = 'GET /api/public/calendars/:slug/days'
export const listFirstAvailableTimes = 'GET /api/public/calendars/:slug/first-times'

export const createAppointment = 'POST /api/public/calendars/:slug/appointments'
export const getPublicAppointmentDetails = 'GET /api/public/appointments/:id'
export const requestCancellation = 'POST /api/public/appointments/:id/cancellation-request'
export const createOwnAppointment = 'POST /api/calendars/:id/appointments'
export const judgeAppointmentTime = 'GET /api/calendars/:id/appointment-time'

export const createCheckout = 'POST /api/public/calendars/:slug/checkouts'
export const settlePayment = 'POST /api/public/appointments/:id/payment'
export const deletePendingAppointment = 'DELETE /api/public/appointments/:id'

export const confirmBookingEmail = 'POST /api/public/appointments/:id/email-confirmation'
export const sendBookingCodeAgain = 'POST /api/public/appointments/:id/email-confirmation/code'

export const receiveStripeEvent = 'POST /api/webhooks/stripe'
export const receiveStripeBillingEvent = 'POST /api/webhooks/stripe-billing'
export const receivePaypalEvent = 'POST /api/webhooks/paypal/:id'

export const sendContactMessage = 'POST /api/public/contact-messages'

export const searchCustomers = 'GET /api/calendars/:id/customers'

export const listAppointments = 'GET /api/calendars/:id/appointments'
export const exportAppointments = 'GET /api/calendars/:id/appointments.csv'
export const getAppointmentAgenda = 'GET /api/calendars/:id/appointments/agenda'
export const listUndeliveredMessages = 'GET /api/calendars/:id/undelivered-messages'
export const listUpcomingAppointments = 'GET /api/appointments/upcoming'
export const getOwnerDay = 'GET /api/appointments/day'
export const tellDelay = 'POST /api/calendars/:id/appointments/:appointment_id/delay'
export const actOnAppointment = 'POST /api/calendars/:id/appointments/:appointment_id/actions'

export const getInsights = 'GET /api/calendars/:id/insights'

export const listAppointmentMessages = 'GET /api/calendars/:id/appointments/:appointment_id/messages'
export const getReminderPreview = 'GET /api/calendars/:id/reminder-preview'
export const sendMessageAgain =
  'POST /api/calendars/:id/appointments/:appointment_id/messages/:message_id/send-again'
export const answerEmail = 'POST /api/public/email-answers'
export const stopEmails = 'POST /api/public/email-stops'

export const getPaymentSettings = 'GET /api/calendars/:id/payment-settings'
export const savePaymentSettings = 'PATCH /api/calendars/:id/payment-settings'
export const createConnectUrl = 'POST /api/calendars/:id/payment-providers/:provider/connection'
export const disconnectProvider = 'DELETE /api/calendars/:id/payment-providers/:provider/connection'
export const completeConnection = 'POST /api/payment-connections'

export const listTransactions = 'GET /api/calendars/:id/transactions'
export const getMoneyOverview = 'GET /api/calendars/:id/money'

export const checkSubscription = 'GET /api/subscription'
export const refreshSubscription = 'POST /api/subscription/refresh'
export const createSubscriptionCheckout = 'POST /api/subscription/checkout'
export const openCustomerPortal = 'POST /api/subscription/portal'
export const listInvoices = 'GET /api/subscription/invoices'
export const previewPlanChange = 'GET /api/subscription/effect'
export const chooseOpenCalendars = 'PUT /api/subscription/open-calendars'

export const getProfile = 'GET /api/profile'
export const updateProfile = 'PATCH /api/profile'
export const updateNotifications = 'PATCH /api/profile/notifications'
export const cancelEmailChange = 'DELETE /api/profile/email-change'
export const exportAccount = 'POST /api/profile/export'
export const deleteAccount = 'DELETE /api/profile'
export const confirmEmailChange = 'POST /api/auth/email-change'

export const signUp = 'POST /api/auth/sign-up'
export const confirmEmailAddress = 'POST /api/auth/email-verification'

export const signIn = 'POST /api/auth/sign-in'
export const completeSignIn = 'POST /api/auth/two-factor'
export const signOut = 'POST /api/auth/sign-out'
export const getSession = 'GET /api/auth/session'
export const requestPasswordReset = 'POST /api/auth/password-reset-request'
export const resetPassword = 'POST /api/auth/password-reset'

export const changePassword = 'POST /api/security/password'
export const listSessions = 'GET /api/security/sessions'
export const signOutSession = 'DELETE /api/security/sessions/:session_id'
export const signOutOtherSessions = 'DELETE /api/security/sessions'
export const getTwoFactor = 'GET /api/security/two-factor'
export const startTwoFactor = 'POST /api/security/two-factor'
export const confirmTwoFactor = 'POST /api/security/two-factor/confirmation'
export const removeTwoFactor = 'POST /api/security/two-factor/removal'
export const replaceBackupCodes = 'POST /api/security/two-factor/backup-codes'

export const listMails = 'GET /api/sandbox/mails'
export const getMail = 'GET /api/sandbox/mails/:id'
export const showMail = 'GET /api/sandbox/mails/:id/html'
export const listMailSamples = 'GET /api/sandbox/mail-samples'
export const getMailSample = 'GET /api/sandbox/mail-samples/:id'
export const showMailSample = 'GET /api/sandbox/mail-samples/:id/html'

export const getExternalCalendars = 'GET /api/calendars/:id/external-calendars'
export const authorizeExternalCalendar = 'POST /api/calendars/:id/external-calendars/:provider/authorization'
export const completeCalendarAuthorization = 'GET /api/calendar-connections/callback/:provider'
export const connectCaldav = 'POST /api/calendars/:id/external-calendars/caldav'
export const connectIcs = 'POST /api/calendars/:id/external-calendars/ics'
export const updateExternalCalendarSettings = 'PATCH /api/calendars/:id/external-calendars/settings'
export const chooseExternalCalendars = 'PUT /api/calendars/:id/external-calendars/choice'
export const syncExternalCalendars = 'POST /api/calendars/:id/external-calendars/sync'
export const disconnectExternalCalendar =
  'DELETE /api/calendars/:id/external-calendars/connections/:connection_id'
export const listExternalEvents = 'GET /api/calendars/:id/external-events'
export const listExternalChanges = 'GET /api/calendars/:id/external-changes'
export const decideExternalChanges = 'POST /api/calendars/:id/external-changes'
export const receiveGoogleCalendarNotification = 'POST /api/webhooks/google-calendar'
export const receiveMicrosoftCalendarNotification = 'POST /api/webhooks/microsoft-calendar'

export const moveAppointment = 'POST /api/calendars/:id/appointments/:appointment_id/move'
export const getAppointmentHistory = 'GET /api/calendars/:id/appointments/:appointment_id/history'

export const getCalendarFeed = 'GET /api/calendars/:id/feed'
export const createCalendarFeed = 'POST /api/calendars/:id/feed'
export const revokeCalendarFeed = 'DELETE /api/calendars/:id/feed'
export const readCalendarFeed = 'GET /api/feeds/:token'
