import News

let needed = newsNeeds
