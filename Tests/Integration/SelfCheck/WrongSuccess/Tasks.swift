let right = 1  // error: nobody says this
