export default function Page() {
  return <h1>the page of the host</h1>
}
