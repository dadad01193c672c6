import Testing
import ZoneIndex

struct AliasIndexTests {
  @Test func `an alias of an alias leads to the zone`() {
    let index = AliasIndex(links: ["A": "B", "B": "C"])
    #expect(index.canonical("A") == "C" && index.canonical("C") == "C")
    #expect(index.aliases(of: "C") == ["A", "B"])
  }

  @Test func `links in a circle come to an end`() {
    let index = AliasIndex(links: ["A": "B", "B": "A"])
    #expect(index.canonical("Z") == "Z")
    #expect(index.count <= 2)
  }

  @Test func `countries are found by code and by name`() {
    let index = CountryIndex(
      places: [(["DE", "DK"], "Europe/Berlin"), (["DE"], "Europe/Zurich"), (["XX"], "Etc/Nowhere")],
      names: ["DE": "Germany", "DK": "Denmark"])
    #expect(index.zones(ofCountry: "germany") == ["Europe/Berlin", "Europe/Zurich"])
    #expect(index.zones(ofCountry: "dk") == ["Europe/Berlin"])
    #expect(index.zones(ofCountry: "XX") == ["Etc/Nowhere"])
    #expect(index.zones(ofCountry: "Atlantis") == [])
    #expect(index.countries(of: "Europe/Berlin") == ["Germany", "Denmark"])
  }
}
