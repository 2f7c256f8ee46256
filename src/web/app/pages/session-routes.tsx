import { getRouteApi, useNavigate, useRouter } from '@tanstack/react-router'
import { useCallback } from 'react'
import { AuthCallbackPage } from '#web/features/sessions/auth-callback-page.tsx'
import { ForgotPasswordPage } from '#web/features/sessions/forgot-password-page.tsx'
import { LoginPage } from '#web/features/sessions/login-page.tsx'
import { RegisterPage } from '#web/features/sessions/register-page.tsx'
import { ResetPasswordPage } from '#web/features/sessions/reset-password-page.tsx'
import { toSafeRedirect } from '#web/features/sessions/safe-redirect.ts'
import { isAppPath } from '../app-paths.ts'

const loginApi = getRouteApi('/login')
const registerApi = getRouteApi('/register')
const resetPasswordApi = getRouteApi('/reset-password')
const authCallbackApi = getRouteApi('/auth/callback')
