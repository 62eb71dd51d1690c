export const entrance = {
  signIn: "Sign in",
  email: "E-mail",
  password: "Password",
}
