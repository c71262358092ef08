export function CommunityView() {
  return <h1>Community</h1>;
}
