export function ForgotPage() {
  return null;
}
export function ResetPage() {
  return null;
}
