declare module 'virtual:routes' {
  export const ROUTES: Record<string, readonly [method: string, path: string]>;
}

declare module 'virtual:admin-routes' {
  export const ROUTES: Record<string, readonly [method: string, path: string]>;
}
